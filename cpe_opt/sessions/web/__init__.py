"""A session in browsers: raters answer in a browser, and whoever runs it watches."""
