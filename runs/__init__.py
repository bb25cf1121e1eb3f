"""Training runs: what was asked, the generations, and how a run goes on after any end."""
