import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small tree that breaks no rule; tests plant one fault each into it. */
export const SOUND: Readonly<Record<string, string>> = {
  'kernel/failure.ts': `import { z } from 'zod';\nexport const word = z.string();\n`,
  'auth/schema.ts': `export type Who = string;\n`,
  'auth/guard.ts': `import type { Who } from './schema.ts';\nexport const guard = (who: Who): Who => who;\n`,
  'pages/ports.ts': `import type { Who } from '../auth/schema.ts';\nexport interface Store { by(who: Who): void }\n`,
  'pages/expand.op.ts': `import type { Store } from './ports.ts';\nexport const expand = (store: Store) => store;\n`,
  'storage/sqlite/pages.ts': `import Database from 'better-sqlite3';\nexport const rows = (db: Database) => db.prepare('SELECT a FROM b');\n`,
  'app/server.ts': `import { expand } from '../pages/expand.op.ts';\nimport { rows } from '../storage/sqlite/pages.ts';\nexport const all = [expand, rows];\n`,
  'cli/main.ts': `export const serve = async () => (await import('../app/server.ts')).all;\n`,
};

/** Writes files into a new temporary folder, hands it to `use`, and removes it. */
export function planted<T>(files: Readonly<Record<string, string>>, use: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'cairn-planted-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
