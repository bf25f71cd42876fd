"""The server for agents that speak the Model Context Protocol."""
