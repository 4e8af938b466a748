// A real OpenLDAP server with a directory of its own, as the user who runs the tests. Where slapd is not installed, the
// tests that need it are skipped with a warning.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'ldapts'
import { inject } from 'vitest'
import { afterFile } from '../after-file.ts'
import { freePort } from '../processes/free-port.ts'

const program = ['/usr/sbin/slapd', '/usr/local/libexec/slapd', '/usr/lib/openldap/slapd'].find(existsSync)
const modules = ['/usr/lib/ldap', '/usr/lib/openldap', '/usr/lib64/openldap'].find(existsSync)
const schemas = ['/etc/ldap/schema', '/etc/openldap/schema'].find(existsSync)

export const hasSlapd = program !== undefined && schemas !== undefined
if (!hasSlapd)
  console.warn('slapd is not installed (Debian: apt-get install slapd): tests against OpenLDAP are skipped.')

export const suffix = 'dc=example,dc=com'
export const reader = { dn: `cn=reader,${suffix}`, password: 'read only' }
const admin = { dn: `cn=admin,${suffix}`, password: 'admin' }

export interface Slapd {
  /** ldap:// and ldaps:// */
  readonly url: string
  readonly secureUrl: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  /** A connection that may write. */
  readonly admin: Client
}

/** An authority, and a certificate for 127.0.0.1 that it has issued. */
function makeCertificates(folder: string): string {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Own CA')
  openssl('req', ...ec, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=ldap.example.com')
  const names = join(folder, 'names')
  writeFileSync(names, 'subjectAltName=IP:127.0.0.1,DNS:ldap.example.com')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', names]
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signing)
  return execFileSync('cat', [join(folder, 'ca.pem')], { encoding: 'utf8' })
}

const configuration = (folder: string, sizeLimit: string) => `
include ${schemas}/core.schema
include ${schemas}/cosine.schema
include ${schemas}/inetorgperson.schema
${existsSync(`${modules}/back_mdb.la`) || existsSync(`${modules}/back_mdb.so`) ? `modulepath ${modules}\nmoduleload back_mdb` : ''}
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
sizelimit size.soft=500 size.hard=500 ${sizeLimit}
database mdb
maxsize 268435456
dbnosync
suffix "${suffix}"
rootdn "${admin.dn}"
rootpw ${admin.password}
directory ${folder}/db
index objectClass eq
index entryUUID eq
index mail pres,eq
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=Hidden,${suffix}" by * none
access to * by dn.exact="${reader.dn}" read by * none
`

/** The entries that every directory has. */
const basis = `dn: ${suffix}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${reader.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${reader.password}

`

export interface SlapdOptions {
  /** Entries as LDIF, loaded before it starts. */
  readonly ldif?: string
  /** Entries in all pages together. */
  readonly pagedTotal?: string
}

export async function startSlapd({ ldif = '', pagedTotal = 'unlimited' }: SlapdOptions = {}): Promise<Slapd> {
  const folder = await mkdtemp(join(inject('folder'), 'slapd-'))
  await mkdir(join(folder, 'db'))
  await chmod(folder, 0o700)
  const ca = makeCertificates(folder)
  const file = join(folder, 'slapd.conf')
  await writeFile(file, configuration(folder, `size.prtotal=${pagedTotal}`))
  await writeFile(join(folder, 'first.ldif'), basis + ldif)
  execFileSync(program as string, ['-T', 'add', '-q', '-f', file, '-l', join(folder, 'first.ldif')], {
    stdio: 'pipe',
  })
  const [port, securePort] = [await freePort(), await freePort()]
  const url = `ldap://127.0.0.1:${port}`
  const secureUrl = `ldaps://127.0.0.1:${securePort}`
  // With -d it stays in the foreground.
  const child = spawn(program as string, ['-d', '0', '-f', file, '-h', `${url} ${secureUrl}`], {
    stdio: 'ignore',
  })
  const pidFile = join(inject('folder'), `process-${child.pid}`)
  writeFileSync(pidFile, String(child.pid))
  const client = new Client({ url })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`slapd has ended with ${child.exitCode}`)
    const isReady = await client.bind(admin.dn, admin.password).then(
      () => true,
      () => false,
    )
    if (isReady) break
    await sleep(20)
  }
  afterFile(async () => {
    await client.unbind()
    child.kill('SIGKILL')
    await once(child, 'close')
    rmSync(pidFile, { force: true })
  })
  return { url, secureUrl, ca, admin: client }
}

/** LDIF of one entry. Buffers and texts that are not ASCII are written in base64. */
export function ldifOf(dn: string, attributes: Readonly<Record<string, unknown>>): string {
  const lines = [['dn', dn] as const, ...Object.entries(attributes)].flatMap(([name, values]) =>
    [values].flat().map(value => {
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
      const isPlain = !Buffer.isBuffer(value) && /^[\w(+][ -~]*$/.test(String(value))
      return isPlain ? `${name}: ${value}` : `${name}:: ${bytes.toString('base64')}`
    }),
  )
  return `${lines.join('\n')}\n\n`
}
