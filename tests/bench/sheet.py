"""A sheet of ROWS rows, three text and seven number columns, by XlsxWriter."""
import sys

import xlsxwriter

book = xlsxwriter.Workbook(sys.argv[1], {"constant_memory": len(sys.argv) > 3})
sheet = book.add_worksheet("data")
for row in range(int(sys.argv[2])):
    for column in range(3):
        sheet.write_string(row, column, "text %d" % (row % 1000 + column))
    for column in range(3, 10):
        sheet.write_number(row, column, row * 1.5 + column)
book.close()
