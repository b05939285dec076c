/** A table whose host asked at set-up to begin at once. Forgotten with the page. */
let code = "";

export function beginAtOnce(table: string): void {
  code = table;
}

/** Whether this table is to begin as soon as it is open; says so once. */
export function beginsAtOnce(table: string): boolean {
  const found = code === table;
  if (found) code = "";
  return found;
}
