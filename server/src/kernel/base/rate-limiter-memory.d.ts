// The package declares the types of its index alone.
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import { RateLimiterMemory } from 'rate-limiter-flexible'

  export default RateLimiterMemory
}
