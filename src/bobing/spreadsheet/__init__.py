"""Lists that people bring and take away: CSV and XLSX, read with suspicion and written so that nothing runs in them."""
