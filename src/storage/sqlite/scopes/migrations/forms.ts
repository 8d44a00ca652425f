/** Instants end in Z. */
export const instant = (column: string): string => `${column} GLOB '????-??-??T??:??:??*Z'`;

/** Calendar days have no time. */
export const day = (column: string): string => `${column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`;

/**
 * Rows of these tables are written once: no update, no delete, and nothing in the place of a row (contract 1.1). Each comes with
 * the keys that a new row must not share with an old one: a REPLACE removes rows without firing the trigger of a delete, unless the
 * connection asks for that.
 */
export const appendOnly = (tables: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(tables)
    .map(
      ([table, keys]) => `
CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END;
${keys.length === 0 ? '' : noReplace(table, keys)}`,
    )
    .join('');

const noReplace = (table: string, keys: readonly string[]): string => `
CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table} WHEN ${keys.map(key => taken(table, key)).join(' OR ')}
BEGIN SELECT RAISE(ABORT, 'append-only'); END;`;

/** `key`: columns with a comma between. */
const taken = (table: string, key: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${key
    .split(', ')
    .map(column => `${column} = NEW.${column}`)
    .join(' AND ')})`;
