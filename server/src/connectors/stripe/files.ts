// Fetches the files of documents. A host that does not answer must not cost minutes for each of a thousand files.

import { minute } from '#kernel/base/durations.ts'
import { askStripe, type StripeDeps, StripeError } from './documents.ts'

const largestFile = 10 * 1024 * 1024

/**
 * Attempts and their time, by the number of files before this one, in a row, for which the host did not answer. One
 * file alone can hang, so the next ones are tried too: every run meets the hanging file first, and would never fetch
 * the others.
 */
const patience = [
  { attempts: 2, milliseconds: minute },
  { attempts: 1, milliseconds: 10_000 },
  { attempts: 1, milliseconds: 10_000 },
]

/** The addresses of files need no key, and must not get it. */
export function stripeFiles({ fetchPublic }: Pick<StripeDeps, 'fetchPublic'>) {
  const silences = new Map<string, number>()
  return async (url: string): Promise<Buffer> => {
    const host = URL.canParse(url) ? new URL(url).host : ''
    const missed = silences.get(host) ?? 0
    const tries = patience[missed]
    if (!tries) throw new StripeError(`its file cannot be fetched: ${host} did not answer for others`)
    const { attempts, milliseconds } = tries
    const answer = await askStripe(
      () => fetchPublic(url, { redirects: 3, maxBytes: largestFile, milliseconds }),
      attempts,
    )
    const isSilent = !answer.ok && (answer.reason === 'timeout' || answer.reason === 'unreachable')
    if (isSilent) silences.set(host, missed + 1)
    else silences.delete(host)
    if (!answer.ok) throw new StripeError(`its file cannot be fetched: the address ${answer.problem}`)
    if (answer.status !== 200) throw new StripeError(`its file cannot be fetched: ${answer.status}`)
    if (answer.bytes.toString('latin1', 0, 5) !== '%PDF-') throw new StripeError('its file is no PDF')
    return answer.bytes
  }
}
