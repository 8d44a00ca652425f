import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Transport } from '../kernel/op.ts';

export type CallStatus = 'ok' | 'error' | 'rejected';

/** The series of one server (E698-E703). */
export interface Metrics {
  /** One finished tool call; `ms` is its duration. */
  toolCall(tenant: string, tool: string, transport: Transport, status: CallStatus, ms: number): void;
  /** One answered request; `seconds` is its duration. MCP endpoints count as 200 whatever they answered (E700). */
  request(route: string, status: number, seconds: number): void;
  /** One committed page write, by where it came from. */
  write(tenant: string, origin: string): void;
  /** How many pages the last audit found in one category (E698). */
  auditDrift(tenant: string, category: string, pages: number): void;
  /** The text exposition format, version 0.0.4. */
  text(): Promise<string>;
}

/** Starts every series at zero in a registry of its own. */
export function createMetrics(): Metrics {
  const registers = [new Registry()] as const;
  new Gauge({ name: 'escurel_up', help: 'The server answers.', registers: [...registers] }).set(1);
  const requests = new Counter({
    name: 'escurel_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'status'],
    registers: [...registers],
  });
  const latency = new Histogram({
    name: 'escurel_request_latency_seconds',
    help: 'Time to answer a request.',
    labelNames: ['route'],
    registers: [...registers],
  });
  const calls = new Counter({
    name: 'escurel_tool_calls',
    help: 'Finished tool calls.',
    labelNames: ['tenant', 'tool', 'transport', 'status'],
    registers: [...registers],
  });
  const callLatency = new Histogram({
    name: 'escurel_tool_latency_ms',
    help: 'Time of a tool call in milliseconds.',
    labelNames: ['tenant', 'tool', 'transport'],
    buckets: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500],
    registers: [...registers],
  });
  const writes = new Counter({
    name: 'escurel_writes_total',
    help: 'Committed page writes.',
    labelNames: ['tenant', 'origin'],
    registers: [...registers],
  });
  const drift = new Gauge({
    name: 'escurel_audit_drift',
    help: 'Pages that the last audit found in disagreement.',
    labelNames: ['tenant', 'category'],
    registers: [...registers],
  });
  registerIdle(registers[0]);
  // Looking a series up by its labels costs more than counting it, so each is looked up once.
  const call = remembered((tenant: string, tool: string, transport: Transport, status: CallStatus) => ({
    count: calls.labels(tenant, tool, transport, status),
    latency: callLatency.labels(tenant, tool, transport),
  }));
  const request = remembered((route: string, status: number) => ({
    count: requests.labels(route, String(status)),
    latency: latency.labels(route),
  }));
  return {
    toolCall(tenant, tool, transport, status, ms) {
      const series = call(tenant, tool, transport, status);
      series.count.inc();
      series.latency.observe(ms);
    },
    request(route, status, seconds) {
      const series = request(route, status);
      series.count.inc();
      series.latency.observe(seconds);
    },
    write: (tenant, origin) => writes.labels(tenant, origin).inc(),
    auditDrift: (tenant, category, pages) => drift.labels(tenant, category).set(pages),
    text: () => registers[0].metrics(),
  };
}

/**
 * Series of parts that this process has not got, named so that whoever watches finds them (E698): nobody edits live, and
 * no runner works through a queue here.
 */
function registerIdle(register: Registry): void {
  const registers = [register];
  for (const [name, help] of [
    ['escurel_live_sessions_open', 'Open live-editing sessions.'],
    ['escurel_runner_queue_depth', 'Events that wait for the runner.'],
    ['escurel_runner_cascade_depth_max', 'Longest chain of runs that caused each other.'],
  ] as const) {
    new Gauge({ name, help, registers }).set(0);
  }
  for (const [name, help, labelNames] of [
    ['escurel_runner_runs_total', 'Finished runs.', ['tenant', 'status']],
    ['escurel_runner_throttled_total', 'Runs held back.', ['reason']],
  ] as const) {
    register.registerMetric(new Counter({ name, help, labelNames, registers: [] }));
  }
}

/** A map in maps, one for each part of a key: joining the parts would cost every call a new string. */
function remembered<K extends readonly (string | number)[], V>(make: (...key: K) => V): (...key: K) => V {
  interface Node {
    readonly next: Map<string | number, Node>;
    value: V | undefined;
  }
  const root: Node = { next: new Map(), value: undefined };
  return (...key) => {
    let node = root;
    for (const part of key) {
      let next = node.next.get(part);
      if (!next) node.next.set(part, (next = { next: new Map(), value: undefined }));
      node = next;
    }
    return (node.value ??= make(...key));
  };
}
