// Makes the built command executable; the compiler keeps the shebang but not the mode.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/cli/main.js', import.meta.url), 0o755);
