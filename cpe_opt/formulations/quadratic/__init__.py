"""The maximum of a confidence ellipsoid over sets, with bounds."""
