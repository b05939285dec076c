"""Many tables: an event from the guest list to the final. Pure: acts in, consequences out, like the core."""
