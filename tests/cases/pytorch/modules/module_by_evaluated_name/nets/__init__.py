import nets.narrow
import nets.wide
