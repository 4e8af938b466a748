// Stores the bytes of files in a folder, or in a bucket of an S3-compatible server. Keys look like paths: `a/b/c.png`.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '#config.ts'
import { folderStore } from './folder.ts'
import { s3Store } from './s3.ts'

export interface Store {
  /** Writes all bytes or none. Once it resolves, the bytes survive a power failure. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** For large files: the size and a stream, which the caller must read or destroy. */
  open(key: string): Promise<{ readonly size: number | undefined; readonly stream: Readable } | undefined>
  has(key: string): Promise<boolean>
  /** Does nothing if the file does not exist. */
  delete(key: string): Promise<void>
}

type StoreSettings = Pick<
  Config,
  'dataDir' | 's3Endpoint' | 's3Bucket' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey'
>

/** Does not access disk or network before the first use. */
export function createStore(settings: StoreSettings): Store {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = settings
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return s3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey })
  return folderStore(join(settings.dataDir, 'assets'))
}
