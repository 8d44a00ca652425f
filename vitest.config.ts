import { defineConfig } from 'vitest/config';

const shared = { environment: 'node', pool: 'forks', testTimeout: 30_000, hookTimeout: 30_000 } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/**/*.long.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
