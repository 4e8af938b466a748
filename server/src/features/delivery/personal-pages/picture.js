// Runs in the visitor's browser: chooses a picture and the part of it that is shown, and sends both. The functions of
// crop.js are in the same script.
const pictureTexts = JSON.parse(document.getElementById('picture-texts').textContent)
const cropper = document.getElementById('cropper')
const stage = document.getElementById('stage')
const shownPicture = document.getElementById('stage-picture')
const zoomInput = document.getElementById('zoom')
const pictureSaid = document.getElementById('picture-said')
const cropSaid = document.getElementById('crop-said')

/** Pixels of the longer side: enough for every place in a signature, on every screen. */
const longestSide = 1_600
/** Base64 adds a third, and the service takes bodies of one megabyte here. */
const mostBytes = 700_000

let chosen = null

function draw() {
  const { left, top, width, height } = placementOf(chosen.crop, stage.clientWidth)
  shownPicture.style.left = `${left}px`
  shownPicture.style.top = `${top}px`
  shownPicture.style.width = `${width}px`
  shownPicture.style.height = `${height}px`
  zoomInput.value = String(Math.round(zoomOf(chosen.crop) * 100))
}

function change(crop) {
  chosen.crop = crop
  draw()
}

const load = url =>
  new Promise((resolve, reject) => {
    shownPicture.onload = resolve
    shownPicture.onerror = reject
    shownPicture.src = url
  })

async function openCropper(input) {
  const [file] = input.files
  input.value = ''
  if (!file) return
  pictureSaid.textContent = ''
  const url = URL.createObjectURL(file)
  try {
    await load(url)
  } catch {
    URL.revokeObjectURL(url)
    pictureSaid.textContent = pictureTexts.unreadable
    return
  }
  const crop = startCrop(shownPicture.naturalWidth, shownPicture.naturalHeight)
  chosen = { url, crop, fieldId: input.dataset.field, name: file.name }
  zoomInput.max = String(Math.floor(largestZoomOf(crop) * 100))
  zoomInput.disabled = largestZoomOf(crop) === 1
  cropSaid.textContent = ''
  cropper.showModal()
  draw()
  stage.focus()
}

/** Pixels of the picture for one pixel of the screen. */
const pixelScale = () => chosen.crop.side / stage.clientWidth

const pointers = new Map()
stage.addEventListener('pointerdown', event => {
  stage.setPointerCapture(event.pointerId)
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
})
stage.addEventListener('pointermove', event => {
  const before = pointers.get(event.pointerId)
  if (!before) return
  const now = { x: event.clientX, y: event.clientY }
  const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
  pointers.set(event.pointerId, now)
  if (!other) {
    const scale = pixelScale()
    change(moveCrop(chosen.crop, (before.x - now.x) * scale, (before.y - now.y) * scale))
    return
  }
  const distance = point => Math.hypot(point.x - other.x, point.y - other.y)
  if (distance(before) > 0)
    change(zoomCrop(chosen.crop, (zoomOf(chosen.crop) * distance(now)) / distance(before)))
})
for (const type of ['pointerup', 'pointercancel'])
  stage.addEventListener(type, event => pointers.delete(event.pointerId))
stage.addEventListener(
  'wheel',
  event => {
    event.preventDefault()
    const { left, top, width } = stage.getBoundingClientRect()
    const zoom = zoomOf(chosen.crop) * (event.deltaY < 0 ? 1.1 : 1 / 1.1)
    change(zoomCrop(chosen.crop, zoom, (event.clientX - left) / width, (event.clientY - top) / width))
  },
  { passive: false },
)

/** Arrows move the picture, not the frame, like dragging does. */
const steps = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
stage.addEventListener('keydown', event => {
  const step = steps[event.key]
  const zoom = { '+': 1.1, '=': 1.1, '-': 1 / 1.1, '−': 1 / 1.1 }[event.key]
  if (!step && !zoom) return
  event.preventDefault()
  const size = chosen.crop.side * (event.shiftKey ? 0.1 : 0.02)
  if (step) change(moveCrop(chosen.crop, step[0] * size, step[1] * size))
  else change(zoomCrop(chosen.crop, zoomOf(chosen.crop) * zoom))
})
zoomInput.addEventListener('input', () => change(zoomCrop(chosen.crop, Number(zoomInput.value) / 100)))
window.addEventListener('resize', () => cropper.open && draw())

/** A JPEG that is small enough to be sent. The browser has turned a photo of a phone upright. */
async function encode() {
  const canvas = document.createElement('canvas')
  for (let longest = longestSide; ; longest = Math.round(longest * 0.8)) {
    const { width, height } = fittedSize(shownPicture.naturalWidth, shownPicture.naturalHeight, longest)
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, width, height)
    context.drawImage(shownPicture, 0, 0, width, height)
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.88))
    if (!blob) throw new Error('the picture cannot be encoded')
    if (blob.size <= mostBytes) return blob
  }
}

const base64Of = blob =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1])
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

const useButton = document.getElementById('use-picture')
useButton.addEventListener('click', async () => {
  useButton.disabled = true
  cropSaid.textContent = pictureTexts.sending
  try {
    const body = {
      smart_field_id: chosen.fieldId,
      file_base64: await base64Of(await encode()),
      filename: `${chosen.name.replace(/\.[^.]*$/, '').slice(0, 200) || 'picture'}.jpg`,
      crop: fractionsOf(chosen.crop),
    }
    const path = location.pathname.replace(/\/$/, '')
    const response = await fetch(`${path}/picture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw response
    const { data } = await response.json()
    // An address that differs only behind # would not load the page again.
    history.replaceState(null, '', `${path}?done=${data.state}#details`)
    location.reload()
  } catch (problem) {
    cropSaid.textContent = problem.status === 429 ? pictureTexts.limited : pictureTexts.failed
    useButton.disabled = false
  }
})
document.getElementById('cancel-picture').addEventListener('click', () => cropper.close())
cropper.addEventListener('close', () => {
  URL.revokeObjectURL(chosen.url)
  shownPicture.removeAttribute('src')
  pointers.clear()
})

for (const input of document.querySelectorAll('[data-picture]')) {
  input.addEventListener('change', () => openCropper(input))
  input.closest('.with-script').hidden = false
}
for (const element of document.querySelectorAll('.without-script')) element.hidden = true
