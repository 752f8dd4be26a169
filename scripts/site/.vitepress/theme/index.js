import defaultTheme from 'vitepress/theme'
import './colors.css'

export default defaultTheme
