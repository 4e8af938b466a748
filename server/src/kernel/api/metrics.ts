// The text of /metrics, in Prometheus' format. prom-client collects the metrics of the process. Those of the service
// are written here: prom-client took 15 to 60 ms for some hundred series by route and status, and blocked all requests
// meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createSharedCheck } from '#kernel/base/shared-check.ts'
import type { Pool } from '#kernel/db/db.ts'
import { queueDepth } from '#kernel/db/jobs.ts'

export interface Metrics {
  readonly contentType: string
  observe(method: string, route: string, status: number, seconds: number): void
  /**
   * Numbers that only grow, one per label value. With several labels, `value` is their values with spaces between them.
   */
  counter(name: string, help: string, ...labels: string[]): (value: string, by?: number) => void
  /** Durations in seconds, one series per label value. */
  histogram(name: string, help: string, label: string): (value: string, seconds: number) => void
  /**
   * A number that `read` measures when the text is made. It is left out when `read` fails, for example because
   * PostgreSQL is away.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  text(): Promise<string>
}

/** Makes the lines of one metric, without HELP and TYPE. */
type Lines = () => readonly string[] | Promise<readonly string[]>

interface Metric {
  /** HELP and TYPE. */
  readonly head: string
  readonly lines: Lines
}

const escaped = (value: string): string => value.replace(/[\\"\n]/g, '\\$&').replaceAll('\n', 'n')

const labelled = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',')

class DurationHistogram {
  static readonly #buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  readonly #name: string
  /** By labels: the requests per bucket, those beyond the last bucket, and the sum of the seconds. */
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

/** Interval at which the delay of the event loop is measured. */
const resolutionMilliseconds = 10
/** A scrape does not wait longer for PostgreSQL. */
const databaseMilliseconds = 1_000

interface ProcessMetrics {
  readonly registry: Registry
  readonly loopDelay: ReturnType<typeof monitorEventLoopDelay>
}

let processMetrics: ProcessMetrics | undefined

/** Measured once per process: each measurement of the event loop is a timer that fires 100 times a second until the end. */
function measureProcess(): ProcessMetrics {
  if (processMetrics) return processMetrics
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const loopDelay = monitorEventLoopDelay({ resolution: resolutionMilliseconds })
  loopDelay.enable()
  processMetrics = { registry, loopDelay }
  return processMetrics
}

class ServiceMetrics implements Metrics {
  readonly #process = measureProcess()
  readonly #metrics: Metric[] = []
  readonly #durations = new DurationHistogram('signoff_http_request_duration_seconds')
  readonly #countRequest: (value: string) => void
  /** By method and route: the labels as text, made once. */
  readonly #labels = new Map<string, string>()

  constructor(pool: Pool) {
    this.#add(
      'signoff_http_request_duration_seconds',
      'histogram',
      'Time from the request to its answer, by route.',
      () => this.#durations.lines(),
    )
    this.#addConnections(pool)
    this.#addJobs(pool)
    this.#addEventLoopDelay()
    this.#countRequest = this.counter(
      'signoff_http_requests_total',
      'Requests answered, by route and status.',
      'method',
      'route',
      'status',
    )
  }

  get contentType(): string {
    return this.#process.registry.contentType
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${route}`
    let labels = this.#labels.get(name)
    if (labels === undefined) {
      labels = labelled(['method', 'route'], [method, route])
      this.#labels.set(name, labels)
    }
    this.#durations.observe(labels, seconds)
    this.#countRequest(`${name} ${status}`)
  }

  counter(name: string, help: string, ...labels: string[]): (value: string, by?: number) => void {
    const counts = new Map<string, number>()
    this.#add(name, 'counter', help, () =>
      [...counts].map(([values, count]) => `${name}{${labelled(labels, values.split(' '))}} ${count}`),
    )
    return (value, by = 1) => void counts.set(value, (counts.get(value) ?? 0) + by)
  }

  histogram(name: string, help: string, label: string): (value: string, seconds: number) => void {
    const durations = new DurationHistogram(name)
    this.#add(name, 'histogram', help, () => durations.lines())
    return (value, seconds) => durations.observe(labelled([label], [value]), seconds)
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.#add(name, 'gauge', help, async () => {
      try {
        return [`${name} ${await read()}`]
      } catch {
        return []
      }
    })
  }

  async text(): Promise<string> {
    const ofService = await Promise.all(
      this.#metrics.map(async ({ head, lines }) => [head, ...(await lines())].join('\n')),
    )
    return `${await this.#process.registry.metrics()}\n${ofService.join('\n\n')}\n`
  }

  #add(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, lines: Lines): void {
    this.#metrics.push({ head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines })
  }

  #addConnections({ pg, direct }: Pool): void {
    const pools = [...new Set([pg, direct])]
    const sum = (count: 'totalCount' | 'idleCount' | 'waitingCount') =>
      pools.reduce((total, pool) => total + pool[count], 0)
    const name = 'signoff_database_connections'
    this.#add(name, 'gauge', 'Connections of this process, and requests that wait for one.', () => [
      `${name}{state="open"} ${sum('totalCount')}`,
      `${name}{state="idle"} ${sum('idleCount')}`,
      `${name}{state="awaited"} ${sum('waitingCount')}`,
    ])
  }

  #addJobs(pool: Pool): void {
    const name = 'signoff_jobs'
    const readDepth = createSharedCheck(
      () => pool.probe<{ waiting: number; failing: number }>(queueDepth),
      databaseMilliseconds,
    )
    const help = 'Jobs in the queue: waiting, or to be retried after a failure.'
    this.#add(name, 'gauge', help, async () => {
      // While PostgreSQL is away or slow, a scrape leaves this metric out.
      const [depth] = await readDepth().catch(() => [])
      return Object.entries(depth ?? {}).map(([state, count]) => `${name}{state="${state}"} ${count}`)
    })
  }

  #addEventLoopDelay(): void {
    const name = 'signoff_event_loop_delay_seconds'
    const delay = this.#process.loopDelay
    const help = 'How late the event loop was since the last snapshot: median, 99 of 100 times, at most.'
    this.#add(name, 'gauge', help, () => {
      // Node measures the time between two ticks of its timer, which includes the resolution.
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMilliseconds / 1e3)
      const quantiles = { '0.5': delay.percentile(50), '0.99': delay.percentile(99), '1': delay.max }
      delay.reset()
      return Object.entries(quantiles).map(
        ([quantile, value]) => `${name}{quantile="${quantile}"} ${seconds(value)}`,
      )
    })
  }
}

export const createMetrics = (pool: Pool): Metrics => new ServiceMetrics(pool)
