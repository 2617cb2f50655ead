"""The app for many visitors at once: processes behind HAProxy, started here or in a container."""
