// What /metrics tells, in Prometheus' format. prom-client brings the numbers of the process; those of the service are written
// here: for some hundred series by route and status it took 15 to 60 ms, in which no request is answered.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Pool } from './db.ts'
import { queueDepth } from './jobs.ts'
import { createSharedCheck } from './shared-check.ts'

export interface Metrics {
  readonly contentType: string
  observe(method: string, route: string, status: number, seconds: number): void
  /** A number that only grows, one per value of its label; of several labels, with a space between the values. */
  counter(name: string, help: string, ...labels: string[]): (value: string, by?: number) => void
  /** A number that is read when the text is made. */
  gauge(name: string, help: string, read: () => number): void
  text(): Promise<string>
}

/** The lines of one metric, without its head. */
type Lines = () => readonly string[] | Promise<readonly string[]>

interface Metric {
  readonly head: string
  readonly lines: Lines
}

const escaped = (value: string): string => value.replace(/[\\"\n]/g, '\\$&').replaceAll('\n', 'n')

const labelled = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',')

class DurationHistogram {
  static readonly #buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  readonly #name: string
  /** Of each series: the requests per bucket, those beyond, and the sum of the seconds. */
  readonly #series = new Map<string, Float64Array>()

  constructor(name: string) {
    this.#name = name
  }

  observe(labels: string, seconds: number): void {
    const buckets = DurationHistogram.#buckets
    let series = this.#series.get(labels)
    if (!series) {
      series = new Float64Array(buckets.length + 2)
      this.#series.set(labels, series)
    }
    let bucket = 0
    while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket++
    series[bucket] = (series[bucket] ?? 0) + 1
    series[buckets.length + 1] = (series[buckets.length + 1] ?? 0) + seconds
  }

  lines(): string[] {
    const bounds = [...DurationHistogram.#buckets.map(String), '+Inf']
    return [...this.#series].flatMap(([labels, series]) => {
      let count = 0
      const buckets = bounds.map((bound, index) => {
        count += series[index] ?? 0
        return `${this.#name}_bucket{le="${bound}",${labels}} ${count}`
      })
      const sum = series[bounds.length] ?? 0
      return [...buckets, `${this.#name}_sum{${labels}} ${sum}`, `${this.#name}_count{${labels}} ${count}`]
    })
  }
}

/** How often the delay of the event loop is measured. */
const resolutionMilliseconds = 10
/** A scrape does not wait longer for what PostgreSQL tells. */
const databaseMilliseconds = 1_000

export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics: Metric[] = []
  const add = (name: string, type: 'counter' | 'gauge' | 'histogram', help: string, lines: Lines): void =>
    void metrics.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines })

  const duration = 'signoff_http_request_duration_seconds'
  const latency = new DurationHistogram(duration)
  add(duration, 'histogram', 'Time from the request to its answer, by route.', () => latency.lines())
  addGauge('signoff_database_connections', 'Connections of this process, and requests that wait for one.', {
    open: () => pool.pg.totalCount,
    idle: () => pool.pg.idleCount,
    awaited: () => pool.pg.waitingCount,
  })
  const readDepth = createSharedCheck(
    () => pool.probe<{ waiting: number; failing: number }>(queueDepth),
    databaseMilliseconds,
  )
  add('signoff_jobs', 'gauge', 'Jobs in the queue: waiting, or to be retried after a failure.', async () => {
    // A scrape while PostgreSQL is away or slow still tells the rest.
    const [depth] = await readDepth().catch(() => [])
    return Object.entries(depth ?? {}).map(([state, count]) => `signoff_jobs{state="${state}"} ${count}`)
  })
  const delay = monitorEventLoopDelay({ resolution: resolutionMilliseconds })
  delay.enable()
  add(
    'signoff_event_loop_delay_seconds',
    'gauge',
    'How late the event loop was since the last snapshot: median, 99 of 100 times, at most.',
    () => {
      // Node measures from one tick of its timer to the next, on time or not.
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMilliseconds / 1e3)
      const read = { '0.5': delay.percentile(50), '0.99': delay.percentile(99), '1': delay.max }
      delay.reset()
      return Object.entries(read).map(
        ([quantile, value]) => `signoff_event_loop_delay_seconds{quantile="${quantile}"} ${seconds(value)}`,
      )
    },
  )

  const counter: Metrics['counter'] = (name, help, ...labels) => {
    const counted = new Map<string, number>()
    add(name, 'counter', help, () =>
      [...counted].map(([values, count]) => `${name}{${labelled(labels, values.split(' '))}} ${count}`),
    )
    return (value, by = 1) => void counted.set(value, (counted.get(value) ?? 0) + by)
  }
  const requests = 'signoff_http_requests_total'
  const countRequest = counter(
    requests,
    'Requests answered, by route and status.',
    'method',
    'route',
    'status',
  )
  const labelsOf = new Map<string, string>()

  async function makeText(): Promise<string> {
    const own = await Promise.all(
      metrics.map(async ({ head, lines }) => [head, ...(await lines())].join('\n')),
    )
    return `${await registry.metrics()}\n${own.join('\n\n')}\n`
  }

  return {
    contentType: registry.contentType,
    observe(method, route, status, seconds) {
      const name = `${method} ${route}`
      let labels = labelsOf.get(name)
      if (labels === undefined) {
        labels = labelled(['method', 'route'], [method, route])
        labelsOf.set(name, labels)
      }
      latency.observe(labels, seconds)
      countRequest(`${name} ${status}`)
    },
    counter,
    gauge: (name, help, read) => add(name, 'gauge', help, () => [`${name} ${read()}`]),
    text: makeText,
  }

  function addGauge(name: string, help: string, states: Readonly<Record<string, () => number>>): void {
    add(name, 'gauge', help, () =>
      Object.entries(states).map(([state, read]) => `${name}{state="${state}"} ${read()}`),
    )
  }
}
