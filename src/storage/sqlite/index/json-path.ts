/** SQLite's path of a top-level key, whatever characters it has; several keys go down into nested mappings. */
export function jsonPath(...keys: readonly string[]): string {
  return `$${keys.map(key => `.${JSON.stringify(key)}`).join('')}`;
}
