// Looks up the country of an IP address, so that the address itself is not stored.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Reader } from 'mmdb-lib'

interface CountryRecord {
  readonly country_code?: string
}

const file = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
let reader: Reader<never> | undefined

/** Reads the file of 8 MB with the first request. The cache has one small object per country. */
const open = (): Reader<never> =>
  new Reader(readFileSync(fileURLToPath(import.meta.resolve(file))), { cache: new Map() })

/** The ISO 3166 code of two letters; null for addresses without a country. */
export function countryOf(ip: string): string | null {
  reader ??= open()
  return (reader.get(ip) as CountryRecord | null)?.country_code ?? null
}
