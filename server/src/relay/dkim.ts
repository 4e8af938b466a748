// Optional: signs what leaves the relay, for mail servers that send to the internet themselves. Exchange Online and Google
// sign by themselves. The library is loaded when the first key is used.
import { Readable } from 'node:stream'
import type { DkimKey } from './settings.ts'

/** The header lines with the signature; they go on top of the message. Throws when the key cannot sign. */
export async function dkimHeader(chunks: readonly Buffer[], key: DkimKey): Promise<Buffer> {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js')
  const { domain: signingDomain, selector, private_key } = key
  const how = { signingDomain, selector, privateKey: Buffer.from(private_key) }
  const { signatures, errors } = await dkimSign(Readable.from(chunks, { objectMode: false }), {
    ...how,
    canonicalization: 'relaxed/relaxed',
    signatureData: [how],
  })
  const [error] = errors
  if (error) throw error.err
  return Buffer.from(signatures)
}
