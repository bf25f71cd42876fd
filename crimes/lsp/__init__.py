"""The server for editors that speak the Language Server Protocol."""
