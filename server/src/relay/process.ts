// Starts and stops the relay of a process.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerSession } from 'smtp-server'
import type { Config } from '#config.ts'
import { FetchLog } from '#features/delivery/installations/index.ts'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import { minute } from '#kernel/base/durations.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Vault } from '#platform/secrets.ts'
import { ConnectionShares } from './clients/connection-shares.ts'
import { RelayJournal } from './journal.ts'
import { type RelayHandlers, RelayListener } from './listener.ts'
import { relayMetrics } from './metrics.ts'
import { HopCapabilities } from './next-hop/capabilities.ts'
import { hopAccessOf } from './next-hop/hop-access.ts'
import { type HopTimeouts, hopTimeouts } from './next-hop/next-hop.ts'
import { MessageStore } from './receiving/incoming-message.ts'
import { RelayRouting } from './routing.ts'
import { RelayRefusal } from './session/refusal.ts'
import { answering, RelaySession, type RelaySessionDeps } from './session/session.ts'
import { SignatureLookup } from './stamping/signatures.ts'

export interface RelayProcessDeps {
  readonly config: Config
  readonly db: Db
  readonly log: Log
  readonly metrics: Metrics
  readonly vault: Pick<Vault, 'open'>
  readonly rendering: RenderDeps
  /** For tests: shorter ones. */
  readonly timeouts?: Partial<HopTimeouts & RelayTimeouts>
}

export interface RelayProcess {
  readonly port: number
  readonly tlsPort: number | null
  /** Reads the settings now; for tests. */
  refresh(): Promise<void>
  /** Writes what is noted; for tests. */
  flush(): Promise<void>
  /** Lets messages in transit end, at most for this time. */
  stop(milliseconds: number): Promise<void>
}

interface RelayTimeouts {
  /** A sender sends nothing at all. */
  readonly idle: number
  /** A sender does nothing that brings mail on, or takes longer for one message. */
  readonly progress: number
  /** A sender has sent less of its message than MessagePace wants. */
  readonly pace: number
  /** A client that is not known by its address shows no certificate. */
  readonly identify: number
}

const relayTimeouts: RelayTimeouts = {
  idle: 2 * minute,
  progress: 10 * minute,
  pace: minute,
  identify: 30_000,
}
const defaultPort = 2_525
const shareLimits = { connections: 500, unknownPerNetwork: 50 }
/** Clients of one listener, with those that wait for the greeting: the library delays it by 100 ms. */
const maxClients = 2_000

export async function startRelay(deps: RelayProcessDeps): Promise<RelayProcess> {
  const { config, db, log, metrics, vault, rendering } = deps
  const timeouts = { ...hopTimeouts, ...relayTimeouts, ...deps.timeouts }
  const access = hopAccessOf(config)
  const largest = config.relayMaxMb * 1024 * 1024
  const store = new MessageStore({ folder: join(config.dataDir, 'cache/relay'), largest })
  await store.prepare()
  const routing = new RelayRouting({ db, vault, log })
  await routing.start()
  const sessions = new Map<SMTPServerSession, RelaySession>()
  const shares = new ConnectionShares(shareLimits)
  const journal = new RelayJournal(db, log)
  const fetchLog = new FetchLog({ db, rendering, log })
  const publicHost = new URL(config.publicUrl).host
  const capabilities = new HopCapabilities(access, timeouts)
  const sessionDeps: RelaySessionDeps = {
    routing,
    store,
    hopAccess: access,
    capabilities,
    timeouts,
    journal,
    fetchLog,
    metrics: relayMetrics(metrics, () => sessions.size),
    signatures: new SignatureLookup({ db, rendering }),
    instance: publicHost,
    linkHosts: [publicHost],
    log,
    isCrowded: workspaceId =>
      sessions.size > shares.share &&
      [...sessions.values()].filter(session => session.workspaceId === workspaceId).length >= shares.share,
  }
  const listen = (isSecure: boolean) => {
    const listener: RelayListener = new RelayListener(
      {
        name: access.name,
        maxBytes: largest,
        maxClients,
        isSecure,
        tls: access.certificate && { ...access.certificate, ca: access.ca },
        idleMilliseconds: timeouts.idle,
      },
      handlersOf(() => listener, { sessions, shares, capabilities }, sessionDeps),
    )
    return listener
  }
  const { relayTlsPort } = config
  const host = config.relayHost ?? config.host
  const plain = listen(false)
  const secure = relayTlsPort === null ? null : listen(true)
  const listeners = secure ? [plain, secure] : [plain]
  const sweep = setInterval(() => dismissSlow(listeners, sessions, timeouts), 5_000)
  try {
    const port = await portOf(plain, config.relayPort ?? defaultPort, host)
    const tlsPort = secure && (await portOf(secure, relayTlsPort ?? 0, host))
    log.info({ port, ...(tlsPort !== null && { tlsPort }) }, 'the relay is ready')
    return {
      port,
      tlsPort,
      refresh: () => routing.refresh(),
      async flush() {
        await journal.flush()
        await fetchLog.flush()
      },
      async stop(milliseconds) {
        clearInterval(sweep)
        routing.stop()
        await endSessions(listeners, sessions, milliseconds)
        await Promise.all([journal.close(), fetchLog.close()])
      },
    }
  } catch (error) {
    clearInterval(sweep)
    routing.stop()
    await endSessions(listeners, sessions, 0)
    throw error
  }
}

async function portOf(listener: RelayListener, port: number, host: string): Promise<number> {
  const server = listener.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === 'EADDRINUSE')
      throw new OperatorError(`SIGNOFF_RELAY_PORT ${port} is in use on ${host}; choose another one.`)
    throw new OperatorError(`SIGNOFF_RELAY_HOST and SIGNOFF_RELAY_PORT: ${message}.`)
  }
  return (server.address() as AddressInfo).port
}

/** Temporary: the relay of the client can be missing by a mistake, and its mail must wait until that is corrected. */
const stranger = () => new RelayRefusal(421, '4.7.0 This client may not use the relay now', 'not_admitted')
const crowd = () => new RelayRefusal(421, '4.7.0 Too many connections; try again', 'crowded')

/** State that all listeners of the process share. */
interface SharedState {
  readonly sessions: Map<SMTPServerSession, RelaySession>
  readonly shares: ConnectionShares
  readonly capabilities: HopCapabilities
}

function handlersOf(
  listener: () => RelayListener,
  { sessions, shares, capabilities }: SharedState,
  deps: RelaySessionDeps,
): RelayHandlers {
  const { routing, metrics, log } = deps
  const onFault = (error: unknown) => log.warn({ err: error }, 'a message waits at its sender')
  const run = (
    session: SMTPServerSession,
    work: (relaySession: RelaySession) => Promise<unknown>,
    answer: (error?: Error | null, message?: string) => void,
  ) => {
    const relaySession = sessions.get(session)
    const result = relaySession ? work(relaySession) : Promise.reject(stranger())
    answering(
      result,
      (error, message) => {
        if (error instanceof RelayRefusal) metrics.refuse(error.reason)
        if (error instanceof RelayRefusal && error.reason === 'parameter') capabilities.forget()
        answer(error, message)
      },
      onFault,
    )
  }
  const announce = async (session: SMTPServerSession, { admitted }: RelaySession) => {
    const routes = admitted.map(({ route }) => route)
    listener().announce(session, await capabilities.of(session.remoteAddress, routes))
  }
  const refuse = (session: SMTPServerSession, relaySession: RelaySession): RelayRefusal | undefined => {
    const isUnknown = relaySession.admitted.length === 0
    if (isUnknown && !routing.knowsCertificates) return stranger()
    const isEntered = shares.enter(session, session.remoteAddress, isUnknown, {
      isBusy: () => relaySession.isBusy,
      giveWay: () => listener().dismiss(session, '4.3.2 The connection is idle, and others wait'),
    })
    return isEntered ? undefined : crowd()
  }
  return {
    onConnect(session, answer) {
      const relaySession = new RelaySession(session.remoteAddress, deps)
      const refusal = refuse(session, relaySession)
      if (refusal) {
        metrics.refuse(refusal.reason)
        return answer(refusal)
      }
      sessions.set(session, relaySession)
      run(session, () => announce(session, relaySession), answer)
    },
    onSecure(session, certificate, answer) {
      run(
        session,
        async relaySession => {
          relaySession.identify(certificate)
          if (relaySession.admitted.length === 0) throw stranger()
          shares.identify(session)
          await announce(session, relaySession)
        },
        answer,
      )
    },
    onMail: (session, sender, answer) => run(session, relaySession => relaySession.mail(sender), answer),
    onRecipient: (session, recipient, answer) =>
      run(session, relaySession => relaySession.recipient(recipient), answer),
    onData: (session, stream, answer) => run(session, relaySession => relaySession.data(stream), answer),
    onClose(session) {
      shares.leave(session)
      sessions.get(session)?.close()
      sessions.delete(session)
    },
    onError: error => log.debug({ err: error }, 'a connection to the relay failed'),
  }
}

/** A sender that sends a byte now and then keeps the library's timeout from ending. */
function dismissSlow(
  listeners: readonly RelayListener[],
  sessions: ReadonlyMap<SMTPServerSession, RelaySession>,
  { progress, pace, identify }: RelayTimeouts,
): void {
  for (const [session, relaySession] of sessions) {
    const limit = relaySession.admitted.length > 0 ? progress : identify
    if (relaySession.idleMilliseconds < limit && !relaySession.isSlow(pace)) continue
    for (const listener of listeners) {
      listener.dismiss(session, '4.4.2 Too slow')
      listener.cut(session)
    }
  }
}

async function endSessions(
  listeners: readonly RelayListener[],
  sessions: ReadonlyMap<SMTPServerSession, RelaySession>,
  milliseconds: number,
): Promise<void> {
  const closed = listeners.map(
    listener =>
      new Promise<void>(resolve => (listener.server.listening ? listener.close(resolve) : resolve())),
  )
  const dismissIdle = () => {
    for (const [session, relaySession] of sessions)
      if (!relaySession.isReceiving)
        for (const listener of listeners) listener.dismiss(session, '4.3.2 The relay is stopping')
  }
  dismissIdle()
  const end = performance.now() + milliseconds
  while ([...sessions.values()].some(({ isReceiving }) => isReceiving) && performance.now() < end)
    await sleep(20)
  // Those that have just been answered. Their answers must leave before the connections end.
  dismissIdle()
  const flushed = performance.now() + 300
  while (sessions.size > 0 && performance.now() < flushed) await sleep(20)
  for (const session of sessions.keys()) for (const listener of listeners) listener.cut(session)
  await Promise.all(closed)
}
