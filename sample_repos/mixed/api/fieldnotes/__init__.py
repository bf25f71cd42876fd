"""Bird sightings: an API."""
