// The client: the operations of the API by their names. `generated/resources.ts` has them.
import { Client } from './call.ts'
import { type Resources, resourcesOf } from './generated/resources.ts'
import type { SignoffOptions } from './types.ts'

export type Signoff = Resources

/** `new Signoff({ url, key })` */
export const Signoff = class {
  constructor(options: SignoffOptions) {
    const { location } = globalThis as { location?: { href: string } }
    if (!(location || /^https?:\/\//i.test(options.url)))
      throw new TypeError(`url is "${options.url}": give the address of the service, with https://.`)
    const { origin, pathname } = new URL(options.url, location?.href)
    const url = origin + pathname.replace(/\/$/, '')
    Object.assign(this, resourcesOf(new Client({ ...options, url })))
  }
} as new (
  options: SignoffOptions,
) => Resources
