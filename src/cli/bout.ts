// The address of the program until release 0.53; it is bin/bout.ts now.

import "../../bin/bout.ts";
