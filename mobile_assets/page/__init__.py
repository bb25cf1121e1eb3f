"""A page to send to people: the web app with networks, a title and colours of one's own, as a folder for any host."""
