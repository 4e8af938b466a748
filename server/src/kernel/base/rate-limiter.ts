// The limiter that counts in memory. The index of the package loads the clients of its fifteen databases too: 7 MB.

export type { RateLimiterRes } from 'rate-limiter-flexible'
export { default as RateLimiterMemory } from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
