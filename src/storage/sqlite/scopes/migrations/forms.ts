/** Instants end in Z. */
export const instant = (column: string): string => `${column} GLOB '????-??-??T??:??:??*Z'`;

/** Calendar days have no time. */
export const day = (column: string): string => `${column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`;

/** Rows of these tables are written once: no update, no delete (contract 1.1). */
export const appendOnly = (tables: readonly string[]): string =>
  tables
    .map(
      table => `
CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END;`,
    )
    .join('');
