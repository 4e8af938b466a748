import type { Area } from '#records/area.ts'
import type assets from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly assets: typeof assets
  }
}

export default {
  id: 'assets',
  needs: 'assets:read',
  menu: { name: { en: 'Images', de: 'Bilder' }, icon: 'image', group: 1, order: 3 },
  pages: {
    '/assets': { load: () => import('./assets-page.tsx') },
    '/images': { redirect: '/assets' },
  },
} satisfies Area
