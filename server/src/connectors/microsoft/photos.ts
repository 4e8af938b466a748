// Photos of users. A delta does not name them: the photo job asks for the tag of each from time to time.
import type { DirectoryConnection, DirectoryPhoto } from '#features/people/directories/index.ts'
import { type GraphAccess, graphPermissions, readGraph } from './graph.ts'

const photoPath = (userId: string): string => `/v1.0/users/${encodeURIComponent(userId)}`

/** Some users without a photo have an empty tag, others give 404. */
export async function findPhotoTag(
  access: GraphAccess,
  userId: string,
  attempts?: number,
): Promise<string | null> {
  const { status, body } = await readGraph(`${photoPath(userId)}/photo`, access, {
    permission: graphPermissions.photos,
    statuses: [404],
    isComplete: answer => typeof answer.body['@odata.mediaEtag'] === 'string',
    ...(attempts !== undefined && { attempts }),
  })
  return status === 404 ? null : String(body['@odata.mediaEtag'] ?? '') || null
}

/** Sharp enough for a signature on a screen of high resolution. A photo that is smaller has no such size. */
const sizes = ['/photos/240x240/$value', '/photo/$value']

export async function readPhoto(
  connection: DirectoryConnection,
  userId: string,
): Promise<DirectoryPhoto | null> {
  for (const size of sizes) {
    const { status, bytes } = await readGraph(`${photoPath(userId)}${size}`, connection, {
      permission: graphPermissions.photos,
      statuses: [404],
      headers: { accept: '*/*' },
      isComplete: answer => answer.bytes.length > 0,
    })
    if (status === 200) return { bytes }
  }
  return null
}
