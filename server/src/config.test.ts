import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mintKey } from '#kernel/api/bearer-keys.ts'
import { readConfig, settings } from './config.ts'

describe('settings', () => {
  it('have defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      apiKey: null,
      rateLimit: null,
      trustedProxies: null,
    })
    expect(readConfig({}).dataDir).toMatch(/\/data$/)
    expect(readConfig({ PORT: '', SIGNOFF_RATE_LIMIT: '' })).toEqual(readConfig({}))
  })

  it('are read', () => {
    const key = mintKey()
    const env = {
      PORT: '8080',
      SIGNOFF_PUBLIC_URL: 'https://sign.example.com/',
      DATABASE_URL: 'postgres://u:p@db/x',
      SIGNOFF_API_KEY: key,
      SIGNOFF_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    }
    expect(readConfig(env)).toMatchObject({
      port: 8080,
      publicUrl: 'https://sign.example.com',
      databaseUrl: 'postgres://u:p@db/x',
      apiKey: key,
      trustedProxies: ['10.0.0.0/8', '::1'],
    })
  })

  it.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535.'],
    [
      'DATABASE_URL',
      'mysql://x/y',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
    ],
    [
      'SIGNOFF_PUBLIC_URL',
      'sign.example.com',
      'SIGNOFF_PUBLIC_URL must be an address that begins with http:// or https://.',
    ],
    ['SIGNOFF_API_KEY', 'sgn_x', 'SIGNOFF_API_KEY must be a well-formed key'],
    ['SIGNOFF_RATE_LIMIT', '0', 'SIGNOFF_RATE_LIMIT must be a whole number from 1'],
    ['SIGNOFF_LOG_LEVEL', 'loud', 'SIGNOFF_LOG_LEVEL must be one of fatal, error'],
    ['SIGNOFF_TRUSTED_PROXIES', 'proxy', 'SIGNOFF_TRUSTED_PROXIES must be IP addresses or networks'],
    ['SIGNOFF_TRUSTED_PROXIES', '10.0.0.0/99', 'SIGNOFF_TRUSTED_PROXIES must be IP addresses or networks'],
    ['SIGNOFF_PRIVATE_TARGETS', 'intranet', 'SIGNOFF_PRIVATE_TARGETS must be IP addresses or networks'],
    [
      'SIGNOFF_S3_ENDPOINT',
      's3.example.com',
      'SIGNOFF_S3_ENDPOINT must be an address that begins with http://',
    ],
    ['SIGNOFF_S3_BUCKET', 'a/b', 'SIGNOFF_S3_BUCKET must be the name of a bucket.'],
    ['SIGNOFF_OWNER_EMAIL', 'me', 'SIGNOFF_OWNER_EMAIL must be an email address.'],
    ['SIGNOFF_OWNER_EMAIL', 'me@example', 'SIGNOFF_OWNER_EMAIL must be an email address.'],
    ['SIGNOFF_CORS_ORIGINS', '*', 'SIGNOFF_CORS_ORIGINS must be origins such as https://app.example.com'],
    ['SIGNOFF_CORS_ORIGINS', 'https://a.example/', 'SIGNOFF_CORS_ORIGINS must be origins'],
    ['SIGNOFF_CORS_ORIGINS', 'https://a.example,null', 'SIGNOFF_CORS_ORIGINS must be origins'],
    ['SIGNOFF_CHROMIUM', '/nowhere', 'SIGNOFF_CHROMIUM must be a program that can be run.'],
    ['SIGNOFF_CHROMIUM', '/etc', 'SIGNOFF_CHROMIUM must be a program that can be run.'],
    ['SIGNOFF_TLS_CERT', '/nowhere', 'SIGNOFF_TLS_CERT must be a file that can be read.'],
  ])('%s=%s stops with one clear line', (name, value, message) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(message)
    try {
      read()
    } catch (error) {
      expect((error as Error).message).not.toContain('\n')
      if (name === 'SIGNOFF_API_KEY') expect((error as Error).message).not.toContain(value)
    }
  })

  it('of TLS come together', async () => {
    const file = join(tmpdir(), `signoff-cert-${process.pid}.pem`)
    await writeFile(file, 'x')
    expect(() => readConfig({ SIGNOFF_TLS_CERT: file })).toThrow('must be set together')
    expect(() => readConfig({ SIGNOFF_TLS_CERT: file, SIGNOFF_TLS_KEY: file })).toThrow(
      'SIGNOFF_TLS_CERT and SIGNOFF_TLS_KEY must be a certificate and its private key in PEM form',
    )
  })

  it('of S3 come together', () => {
    const all = {
      SIGNOFF_S3_ENDPOINT: 'https://s3.example.com/',
      SIGNOFF_S3_BUCKET: 'files',
      SIGNOFF_S3_ACCESS_KEY_ID: 'id',
      SIGNOFF_S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig(all)).toMatchObject({ s3Endpoint: 'https://s3.example.com', s3Region: 'us-east-1' })
    for (const name of Object.keys(all))
      expect(() => readConfig({ ...all, [name]: '' }), name).toThrow('must be set together')
    expect(readConfig({ SIGNOFF_S3_REGION: 'eu-central-1' }).s3Endpoint).toBeNull()
  })

  it('have a name, and say what they are for', () => {
    const all = Object.values(settings)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const { help } of all) expect(help.length).toBeGreaterThan(10)
  })
})
