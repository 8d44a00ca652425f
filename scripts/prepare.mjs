// Builds dist/ after an install from source. An install without dev dependencies has no compiler and keeps what it has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync(new URL('../node_modules/typescript', import.meta.url))) {
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(built.status ?? 1);
}
