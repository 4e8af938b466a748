// The country of an address, so that the address itself can be forgotten.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Reader } from 'mmdb-lib'

interface Found {
  readonly country_code?: string
}

const file = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
let reader: Reader<never> | undefined

/** 8 MB, read with the first request. The cache holds one small object per country. */
const open = (): Reader<never> =>
  new Reader(readFileSync(fileURLToPath(import.meta.resolve(file))), { cache: new Map() })

/** ISO 3166, two letters; null for addresses of no country. */
export function countryOf(ip: string): string | null {
  reader ??= open()
  return (reader.get(ip) as Found | null)?.country_code ?? null
}
