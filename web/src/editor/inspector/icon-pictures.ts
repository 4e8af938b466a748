// The pictures of icons as the service draws them. They are not part of the code: the outlines of all icons are 60 kB.
import { type IconName, iconNames } from '@signoff/render'
import type { PictureRequest } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'

/** Can be seen on the light and on the dark dashboard. */
const color = '#7a8394'
const size = 20

async function iconPictures(): Promise<ReadonlyMap<IconName, string>> {
  const found = await api.content.pictures({
    email_id: null,
    pictures: iconNames.map(
      name =>
        ({
          kind: 'icon',
          icon: { name, size, color, backgroundColor: null, shape: 'square' },
        }) as PictureRequest,
    ),
  })
  return new Map(iconNames.map((name, index) => [name, found[index]?.url ?? '']))
}

export const useIconPictures = (): ReadonlyMap<IconName, string> | undefined =>
  useQuery({ queryKey: ['icons'], queryFn: iconPictures, staleTime: Number.POSITIVE_INFINITY }).data
