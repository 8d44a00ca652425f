/** The value below which `share` of the sorted samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** CPU seconds, user and system, that this process has used. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A table with a header row, numbers right-aligned. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map(row => row.map(cell => (typeof cell === 'number' ? figure(cell) : cell)));
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  return cells
    .map(row => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n');
}

/** Three significant figures below a thousand, whole above. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
