"""What goes over the wire: messages as tagged unions. The type is the validator, the schema and the documentation."""
