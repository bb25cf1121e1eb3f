"""Where a file is first touched: every attribute, member and size is read here by what it should be, or refused."""
