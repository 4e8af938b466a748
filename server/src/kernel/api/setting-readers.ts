// How the texts of settings are read: see config.ts.
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isWellFormedKey } from './bearer-keys.ts'
import { isLocalOrEmailAddress } from './validation.ts'

/** Parses the text of a setting. Throws `SettingError` with what the setting must be. */
export type Read<T> = (text: string) => T

export class SettingError extends Error {}

export const readText: Read<string> = value => value
export const readInteger =
  (min: number, max: number): Read<number> =>
  value => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new SettingError(`a whole number from ${min} to ${max}`)
    return number
  }
export const readOneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  value => {
    const match = values.find(allowed => allowed === value)
    if (match === undefined) throw new SettingError(`one of ${values.join(', ')}`)
    return match
  }
export const readUrl =
  (...schemes: string[]): Read<string> =>
  value => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1))) {
      throw new SettingError(
        `an address that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
      )
    }
    return withoutTrailingSlash(value)
  }
export function withoutTrailingSlash(address: string): string {
  let end = address.length
  while (address.charAt(end - 1) === '/') end--
  return address.slice(0, end)
}
/** Not parsed as a URL: PostgreSQL's addresses can lack a host, or name a folder with a socket. */
export const readDatabaseUrl: Read<string> = value => {
  if (!/^postgres(ql)?:\/\/\S+$/.test(value))
    throw new SettingError('an address that begins with postgres:// or postgresql://')
  return value
}
export const readEmail: Read<string> = value => {
  if (!isLocalOrEmailAddress(value)) throw new SettingError('an email address')
  return value
}
export const readApiKey: Read<string> = value => {
  if (!isWellFormedKey(value))
    throw new SettingError(
      'a well-formed key: sgn_, 40 letters and digits, and their checksum (`npx signoff keys mint` makes one)',
    )
  return value
}
export const readAddresses: Read<readonly string[]> = value => {
  const list = value.split(',').map(item => item.trim())
  const isAddress = (item: string) => {
    const [address = '', bits = '0', ...more] = item.split('/')
    const version = isIP(address)
    return (
      version !== 0 &&
      more.length === 0 &&
      /^\d{1,3}$/.test(bits) &&
      Number(bits) <= (version === 4 ? 32 : 128)
    )
  }
  if (!list.every(isAddress))
    throw new SettingError('IP addresses or networks such as 10.0.0.0/8, separated by commas')
  return list
}
export const readOrigins: Read<readonly string[]> = value => {
  const list = value.split(',').map(item => item.trim())
  const isOrigin = (item: string) =>
    /^https?:\/\//.test(item) && URL.canParse(item) && new URL(item).origin === item
  if (!list.every(isOrigin))
    throw new SettingError('origins such as https://app.example.com, without a path, separated by commas')
  return list
}
export const readBucket: Read<string> = value => {
  if (!/^[\w-][\w.-]{0,254}$/.test(value)) throw new SettingError('the name of a bucket')
  return value
}
export const readFileBytes: Read<Buffer> = path => {
  try {
    return readFileSync(path)
  } catch {
    throw new SettingError('a file that can be read')
  }
}

export const readProgram: Read<string> = value => {
  const path = resolve(value)
  try {
    accessSync(path, constants.X_OK)
    if (statSync(path).isFile()) return path
  } catch {
    // The error is thrown below.
  }
  throw new SettingError('a program that can be run')
}

export const readKeys: Read<readonly Buffer[]> = value => {
  const buffers = value.split(',').map(item => Buffer.from(item.trim(), 'base64'))
  if (!buffers.every(key => key.length === 32))
    throw new SettingError(
      'keys of 32 bytes in base64, separated by commas (`openssl rand -base64 32` makes one)',
    )
  return buffers
}

export const readHostName: Read<string> = value => {
  if (!/^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(value) || value.length > 253)
    throw new SettingError('the name of a host, such as relay.example.com')
  return value
}
