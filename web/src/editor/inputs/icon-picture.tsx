import { type IconName, iconNames } from '@signoff/render'
import type { PictureRequest } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'

/** Decoration: the control around it carries the name. */
export function IconPicture({ name }: { readonly name: IconName }) {
  const src = useIconPictures()?.get(name)
  return src ? (
    <img src={src} alt="" width={20} height={20} loading="lazy" className="size-5 shrink-0 object-contain" />
  ) : (
    <span className="size-5 shrink-0 rounded bg-sunken" />
  )
}

// The pictures of icons as the service draws them. They are not part of the code: the outlines of all icons are 60 kB.

/** Can be seen on the light and on the dark dashboard. */
const color = '#7a8394'
const size = 20

async function iconPictures(): Promise<ReadonlyMap<IconName, string>> {
  const pictures = await api.content.pictures({
    email_id: null,
    pictures: iconNames.map(
      name =>
        ({
          kind: 'icon',
          icon: { name, size, color, backgroundColor: null, shape: 'square' },
        }) as PictureRequest,
    ),
  })
  return new Map(iconNames.map((name, index) => [name, pictures[index]?.url ?? '']))
}

const useIconPictures = (): ReadonlyMap<IconName, string> | undefined =>
  useQuery({ queryKey: ['icons'], queryFn: iconPictures, staleTime: Number.POSITIVE_INFINITY }).data
