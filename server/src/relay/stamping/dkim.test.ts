// Signatures of DKIM, judged by a verifier that others wrote.
// @module-tag random
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, it } from 'vitest'
import { loopLimit, watchLoop } from '#test/support/processes/loop-watch.ts'
import { runs } from '#test/support/runs.ts'
import { dkimHeader } from './dkim.ts'

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const records = {
  rsa: `v=DKIM1; k=rsa; p=${rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  ed25519: `v=DKIM1; k=ed25519; p=${ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`,
}
const keys = { rsa: pem(rsa.privateKey), ed25519: pem(ed25519.privateKey) }

const signed = async (chunks: readonly Buffer[], kind: keyof typeof keys = 'rsa') =>
  Buffer.concat([
    await dkimHeader(chunks, { domain: 'example.com', selector: 's1', private_key: keys[kind] }),
    ...chunks,
  ])

async function resultOf(message: Buffer, kind: keyof typeof keys = 'rsa'): Promise<string> {
  const { results } = await dkimVerify(message, { resolver: async () => [[records[kind]]] as never })
  return results.map(({ status }: { status: { result: string } }) => status.result).join()
}

const head = 'From: Ada <ada@example.com>\r\nTo: bob@other.test\r\nSubject: Grüße\r\n'

it('is valid for every body and header, however they are cut into chunks', async () => {
  const piece = fc.constantFrom(' ', '\t', '\r\n', '\n', '\r', 'x', 'ü', '.', ' \r\n', '\r\n\r\n', '\0')
  const field = fc.constantFrom(
    'Cc: a@b.c,\r\n\td@e.f',
    'Subject: again',
    'X: y',
    'List-Id :  a \t b ',
    'Date:',
  )
  const body = fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { maxLength: 4 }),
      body,
      fc.array(fc.nat(200), { maxLength: 4 }),
      fc.constantFrom('rsa' as const, 'ed25519' as const),
      async (fields, text, cuts, kind) => {
        const message = Buffer.from(`${head}${fields.map(line => `${line}\r\n`).join('')}\r\n${text}`)
        const at = [0, ...cuts.filter(cut => cut < message.length).toSorted((a, b) => a - b), message.length]
        const chunks = at.slice(1).map((end, index) => message.subarray(at[index], end))
        expect(await resultOf(await signed(chunks, kind), kind)).toBe('pass')
      },
    ),
    { numRuns: runs(150) },
  )
})

it('breaks when a letter of the body, or a signed field, changes', async () => {
  const message = await signed([Buffer.from(`${head}\r\nHello Bob\r\n`)])
  expect(await resultOf(message)).toBe('pass')
  expect(await resultOf(Buffer.from(message.toString().replace('Hello', 'Hullo')))).not.toBe('pass')
  expect(await resultOf(Buffer.from(message.toString().replace('Ada', 'Eve')))).not.toBe('pass')
  expect(await resultOf(Buffer.from(message.toString().replace('Hello Bob', 'Hello   Bob ')))).toBe('pass')
})

it('is refused for headers that no honest sender writes', async () => {
  for (const lines of ['a: b\r\n'.repeat(60_000), 'Subject: x\r\n'.repeat(120)])
    await expect(signed([Buffer.from(`${head}${lines}\r\nHello`)])).rejects.toThrow('to be signed')
})

it.each([['\n'], ['\r\n'], ['.\n'], [' '], ['\r']])('does not hold the process for long: %j', async piece => {
  const message = Buffer.from(`${head}\r\n${piece.repeat(8_000_000 / piece.length)}x`)
  const { result, held } = await watchLoop(() => signed([message]))
  expect(held).toBeLessThan(loopLimit)
  expect(result.length).toBeGreaterThan(message.length)
})
