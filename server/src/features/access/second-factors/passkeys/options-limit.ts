// How often a network can begin a sign-in by passkey, counted in this process: each time stores a challenge, for five
// minutes, and needs no account.

import { apiError } from '#kernel/base/errors.ts'
import { networkOf, RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'

/** Sign-in pages ask when they open, and the browsers of an office share a network. */
const perMinute = 120

export type OptionsLimit = (client: { readonly address: string }) => Promise<void>

export function createOptionsLimit(): OptionsLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async ({ address }) => {
    await limiter.consume(networkOf(address)).catch((refused: RateLimiterRes) => {
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
      throw apiError('too_many_attempts', { headers: { 'Retry-After': String(seconds) } })
    })
  }
}
