// How the dashboard is built. `web/build/build.ts` runs it; the service starts that after it listens.
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { announcerWithoutHtml } from './build/announcer-without-html.ts'
import { compiledTexts } from './build/compiled-texts.ts'
import { worldOutlines } from './build/world-outlines.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/web/',
  // The texts that React Aria speaks to screen readers, in the languages of the dashboard alone.
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
    compiledTexts(),
    worldOutlines(),
    announcerWithoutHtml(),
    tailwind(),
    react(),
  ],
  build: {
    target: 'es2022',
    assetsDir: '.',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file compresses better than the twelve of which the frame would consist: 6 kB less.
            { name: 'frame', tags: ['$initial'] },
          ],
        },
      },
    },
  },
})
