"""A session over the page: raters answer in a browser, and whoever runs it watches."""
