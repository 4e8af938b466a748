// Where the bytes of files live: a folder, or a bucket of an S3-compatible server. Keys look like paths: `a/b/c.png`.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '#config.ts'
import { folderStore } from './folder.ts'
import { s3Store } from './s3.ts'

export interface Store {
  /** All of it or nothing; once it resolves, the bytes outlive a power cut. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** For large files: a stream, to be read or destroyed, and how long it is. */
  open(key: string): Promise<{ readonly size: number | undefined; readonly stream: Readable } | undefined>
  has(key: string): Promise<boolean>
  /** Fine if there is nothing. */
  delete(key: string): Promise<void>
}

type StoreSettings = Pick<
  Config,
  'dataDir' | 's3Endpoint' | 's3Bucket' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey'
>

/** Touches neither disk nor network before it is used. */
export function createStore(settings: StoreSettings): Store {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = settings
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return s3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey })
  return folderStore(join(settings.dataDir, 'assets'))
}
