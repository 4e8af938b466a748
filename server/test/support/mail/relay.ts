// A relay in the process of the tests, with a workspace, people and a next hop.
import { generate } from 'selfsigned'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { createMetrics, type Metrics } from '#kernel/api/metrics.ts'
import { operator } from '#kernel/api/scopes.ts'
import { createLog } from '#kernel/base/log.ts'
import { type RelayProcess, type RelayProcessDeps, startRelay } from '#relay/index.ts'
import { afterFile } from '../after-file.ts'
import type { TestApp, TestWorkspace } from '../app.ts'
import { stack, text } from '../signatures.ts'
import { createPublished, createTeammate, type TestTeammate } from '../world.ts'

/** The addresses of this machine are those of the own network. */
export const relayEnv = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.0/8', SIGNOFF_RELAY_PORT: '0' }

export interface TestRelay extends RelayProcess {
  readonly metrics: Metrics
}

/** Stopped after the tests of the file. */
export async function testRelay(
  app: TestApp,
  timeouts: RelayProcessDeps['timeouts'] = {},
): Promise<TestRelay> {
  const metrics = createMetrics(app.db)
  const relay = await startRelay({
    ...app.parts,
    db: app.db,
    log: createLog('silent'),
    metrics,
    timeouts,
  })
  afterFile(() => relay.stop(100))
  return { ...relay, metrics }
}

/** Connects a relay as the operator, who can name any domain. Returns its id. */
export async function connectRelay(
  app: TestApp,
  settings: object,
  workspace: Pick<TestWorkspace, 'id'> = app,
): Promise<string> {
  const input = { kind: 'smtp_relay', settings: { clients: ['127.0.0.1'], ...settings } }
  return (await createIntegration(app.db, operator(workspace.id), input, app.parts.integrations)).id
}

/** A person with a published signature that says `words`. */
export async function signedPerson(
  app: TestApp,
  email: string,
  words: string,
): Promise<TestTeammate & { readonly signatureId: string }> {
  const person = await createTeammate(app, { email })
  const signatureId = await createPublished(app, { draft_content: stack(text(words)) }, person.emailId)
  return { ...person, signatureId }
}

export const mailOf = (from: string, to: string, body = 'Hello there.', headers = ''): string =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: Test\r\nMessage-ID: <1@test>\r\nMIME-Version: 1.0\r\n${headers}Content-Type: text/plain; charset=utf-8\r\n\r\n${body}\r\n`

export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

/** An authority, and certificates that it has issued. */
export async function certificates(
  ...names: string[]
): Promise<{ readonly ca: string; readonly of: (name: string) => TestCertificate }> {
  const ca = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const issued = await Promise.all(
    names.map(async name => {
      const made = await generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: ca.private, cert: ca.cert },
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
      })
      return [name, { cert: made.cert, key: made.private }] as const
    }),
  )
  const byName = new Map(issued)
  return {
    ca: ca.cert,
    of(name) {
      const certificate = byName.get(name)
      if (!certificate) throw new Error(`no certificate was issued for ${name}`)
      return certificate
    },
  }
}
