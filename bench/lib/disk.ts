import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { cpuSeconds, median } from './stats.ts';

/** Milliseconds of an fdatasync after a write of 1 KB, median of `count`. */
export function fsyncMedian(folder: string, count: number): number {
  const fd = openSync(join(folder, 'fsync.probe'), 'w');
  const bytes = Buffer.alloc(1024, 'x');
  const samples: number[] = [];
  for (let i = 0; i < count; i++) {
    writeSync(fd, bytes);
    const started = performance.now();
    fdatasyncSync(fd);
    samples.push(performance.now() - started);
  }
  closeSync(fd);
  return median(samples);
}

export interface WriteFigures {
  readonly commits: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly latencies: readonly number[];
}

/** Inserts of the same bytes into a bare table with `synchronous=FULL`, one transaction each. */
export function bareInserts(folder: string, texts: readonly string[]): WriteFigures {
  const db = new Database(join(folder, 'bare.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE page(id TEXT PRIMARY KEY, content TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO page(id, content) VALUES (?, ?)');
  const latencies: number[] = [];
  const [began, cpu] = [performance.now(), cpuSeconds()];
  for (const [n, text] of texts.entries()) {
    const started = performance.now();
    insert.run(`page-${n}`, text);
    latencies.push(performance.now() - started);
  }
  const figures = {
    commits: texts.length,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSeconds() - cpu,
    latencies,
  };
  db.close();
  return figures;
}
