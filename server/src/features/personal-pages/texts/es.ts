import type { PageTexts } from './page-texts.ts'

const copy = 'Elija «Copiar la firma» arriba.'

export const spanishPage: PageTexts = {
  title: 'Su firma de correo',
  states: {
    never: 'Su firma está lista. Cópiela y péguela en su programa de correo: solo lleva un minuto.',
    outdated: 'Hay una versión nueva. Copie la firma otra vez y sustituya la que tiene.',
    current: 'Tiene la firma actual. No hay nada que hacer; puede volver a copiarla cuando quiera.',
  },
  noSignature:
    'Todavía no hay una firma para esta dirección. Todo está bien y no tiene que hacer nada: en cuanto reciba una, estará aquí.',
  copyStates: {
    current: 'Tiene la firma actual. Péguela en su programa de correo si aún no lo ha hecho.',
    outdated: 'Su firma ha cambiado desde que abrió esta página. Vuelva a cargarla y copie la nueva.',
    none: 'Ya no hay una firma para esta dirección. Vuelva a cargar la página para comprobarlo.',
  },
  signature: 'Así se ve',
  whichSignature: '¿Qué firma?',
  kinds: { new: 'Para correos nuevos', reply: 'Para respuestas' },
  subjects: { new: 'Mensaje nuevo', reply: 'Re: Su mensaje' },
  sampleMail: ['Hola:', 'así se verán sus correos.'],
  noReply: 'Las respuestas no llevan firma: elija «sin firma» para las respuestas en su programa de correo.',
  copy: { rich: 'Copiar la firma', text: 'Copiar como texto', source: 'Copiar el código HTML' },
  copied: {
    rich: 'Copiada. Péguela ahora en su programa de correo: los pasos están más abajo.',
    text: 'Copiada como texto.',
    source: 'El código HTML está copiado.',
  },
  copyRefused:
    'Su navegador no permite copiar aquí. La firma está seleccionada: pulse Ctrl+C, o ⌘C en un Mac.',
  byHand: 'Los botones para copiar necesitan JavaScript. Sin él, seleccione la firma con el ratón y cópiela.',
  onDark: 'Mostrar sobre fondo oscuro',
  install: 'Cómo instalarla',
  likely: 'Probablemente el suyo',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Abra Gmail en un ordenador, elija el engranaje arriba a la derecha y luego «Ver todos los ajustes».',
        'En «General», baje hasta «Firma» y elija «Crear». El nombre es libre.',
        'Haga clic en el cuadro vacío y pegue.',
        'Debajo, elija esta firma para los correos nuevos y, si quiere, para las respuestas.',
        'Abajo del todo, elija «Guardar cambios».',
      ],
      note: 'La aplicación Gmail del teléfono tiene su propia firma de texto: use «Copiar como texto».',
    },
    outlook_web: {
      name: 'Outlook en la web',
      steps: [
        copy,
        'Abra Outlook en el navegador y elija el engranaje arriba a la derecha.',
        'Vaya a «Cuenta» y luego «Firmas». En versiones anteriores: «Correo», «Redactar y responder».',
        'Elija «Agregar firma», o la que tiene, y pegue en el cuadro.',
        'Elíjala como predeterminada para mensajes nuevos y respuestas, y luego «Guardar».',
      ],
    },
    new_outlook: {
      name: 'Nuevo Outlook para Windows y Mac',
      steps: [
        copy,
        'Abra la configuración: el engranaje arriba a la derecha en Windows, «Outlook» y «Configuración» en un Mac.',
        'Vaya a «Cuentas» y luego «Firmas» (en un Mac, directamente «Firmas»).',
        'Agregue una firma, o abra la que tiene, y pegue.',
        'Elíjala como predeterminada para mensajes nuevos y respuestas, y guarde.',
      ],
    },
    classic_outlook: {
      name: 'Outlook clásico para Windows',
      steps: [
        copy,
        'Vaya a «Archivo», «Opciones», «Correo» y luego «Firmas…».',
        'Elija «Nueva» y escriba un nombre.',
        'Haga clic en el cuadro y pegue con Ctrl+V.',
        'Arriba a la derecha, elíjala para mensajes nuevos y respuestas, y luego «Aceptar».',
      ],
    },
    outlook_phone: {
      name: 'Outlook en el teléfono',
      steps: [
        'Abra esta página en el teléfono y elija «Copiar la firma».',
        'En Outlook, toque su foto arriba a la izquierda y luego el engranaje.',
        'Toque «Firma», borre lo que haya, mantenga el dedo sobre el cuadro vacío y pegue.',
        'Vuelva atrás; ya está guardada.',
      ],
      note: 'Algunos teléfonos solo guardan el texto. Entonces queda mejor «Copiar como texto».',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'En Mail en el Mac, elija «Mail», «Ajustes» y luego «Firmas».',
        'Elija su cuenta a la izquierda, luego «+», y dé un nombre a la firma.',
        'Desmarque «Utilizar siempre mi tipo de letra por omisión».',
        'Seleccione el texto de la derecha y pegue encima. Cierre la ventana; ya está guardada.',
      ],
      note: 'En esa ventana pueden faltar imágenes. En sus correos sí están. En un iPhone: «Ajustes», «Apps», «Mail», «Firma».',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Elija «Copiar el código HTML» arriba.',
        'En Thunderbird, abra el menú (☰), elija «Configuración de la cuenta» y luego su cuenta.',
        'Marque «Usar HTML» junto a «Texto de la firma».',
        'Pegue en el cuadro de abajo. Se guarda solo.',
      ],
    },
  },
  details: {
    title: 'Sus datos',
    intro: 'Corrija lo que no sea correcto. Su firma se actualizará.',
    save: 'Guardar',
    done: {
      saved: 'Guardado. Su firma ya lo muestra.',
      waiting: 'Enviado. Aparecerá en su firma cuando se apruebe.',
      removed: 'La foto se ha eliminado.',
      withdrawn: 'Su solicitud se ha retirado.',
    },
    needsApproval: 'Un cambio necesita aprobación.',
    waits: current => `Pendiente de aprobación. Hasta entonces su firma muestra: ${current}`,
    waitsForRemoval: 'Pendiente de aprobación: el valor se eliminará.',
    rejected: value => `No aprobado: ${value}`,
    reason: text => `Motivo: ${text}`,
    withdraw: 'Retirar',
    empty: 'nada',
    problems: {
      text: 'Este valor no es válido.',
      url: 'No es una dirección web como https://example.com.',
      email: 'No es una dirección de correo.',
      phone: 'No es un número de teléfono como +34 912 345 678.',
      too_long: 'Es demasiado largo: como máximo 5000 caracteres.',
      locked: 'Este valor ya no se puede cambiar aquí.',
    },
    someWrong: 'Todavía no se ha guardado nada: corrija los campos marcados.',
  },
  picture: {
    none: 'Todavía sin foto',
    add: 'Añadir una foto',
    change: 'Cambiar la foto',
    remove: 'Eliminar',
    waits: 'Esta foto está pendiente de aprobación.',
    rejected: 'Esta foto no se aprobó.',
    needsScript: 'Para cambiar la foto hace falta JavaScript.',
    crop: 'Elija la parte que se muestra',
    cropHelp: 'Arrastre la imagen o muévala con las flechas. Amplíe con + y −.',
    zoom: 'Ampliación',
    use: 'Usar esta foto',
    cancel: 'Cancelar',
    sending: 'Enviando la foto …',
    unreadable: 'Este archivo no es una imagen que su navegador pueda abrir. Elija un JPEG o un PNG.',
    failed: 'La foto no se pudo guardar. Inténtelo de nuevo.',
    limited: 'Demasiados cambios en poco tiempo. Inténtelo de nuevo en unos minutos.',
  },
  fields: {
    first_name: 'Nombre',
    last_name: 'Apellidos',
    job_title: 'Cargo',
    department: 'Departamento',
    company: 'Empresa',
    work_phone: 'Teléfono de trabajo',
    mobile_phone: 'Teléfono móvil',
    calendar_link: 'Enlace del calendario',
    profile_picture: 'Foto',
  },
  oldLink: {
    title: 'Este enlace es antiguo',
    explanation: address =>
      `Por su seguridad, los enlaces a páginas personales funcionan durante un tiempo limitado. Con gusto enviaremos uno nuevo a ${address}.`,
    button: 'Enviarme un enlace nuevo',
    sentTitle: 'Mire en su buzón',
    sent: address =>
      `Un enlace nuevo va de camino a ${address}. Si no llega en unos minutos, mire en la carpeta de spam o inténtelo más tarde.`,
    withoutMail: 'Pida un enlace nuevo a la persona que gestiona las firmas en su empresa.',
  },
  missing: {
    title: 'Esta página no está aquí',
    explanation:
      'El enlace no está completo o se ha sustituido por uno nuevo. Pida el enlace actual a la persona que se lo envió.',
  },
  problem: {
    title: 'No ha funcionado',
    cross_origin: 'Otro sitio web ha enviado este formulario. No se ha cambiado nada.',
    rate_limited: 'Ha habido demasiados cambios en poco tiempo. Inténtelo de nuevo en unos minutos.',
    unreadable_form: 'No se pudo leer el formulario. No se ha cambiado nada.',
    unavailable: 'Algo ha fallado por nuestra parte. Inténtelo de nuevo en un momento.',
    back: 'Volver a su página',
  },
  privacy:
    'Esta página es solo para usted: una persona que tenga su dirección puede ver y cambiar lo que ve aquí.',
}
